import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of a program of this machine, looked for in PATH and in more folders. */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const all = [...(process.env.PATH ?? '').split(delimiter), ...folders]
  return all.map((folder) => join(folder, name)).find(isExecutable)
}

/** Whether tests that need the program are to be left out: where it is missing, but never in CI, where it must not be. */
export function isMissing(name: string, folders?: readonly string[]): boolean {
  const missing = findProgram(name, folders) === undefined && !process.env.CI
  if (missing) console.warn(`${name} is not installed: the tests that need it are skipped`)
  return missing
}

/** Runs a program to its end; `code` is its exit code. */
export const run = (
  name: string,
  args: readonly string[],
  input?: string | Uint8Array,
): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const child = execFile(name, args, { encoding: 'latin1' }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    )
    child.stdin?.end(input)
  })
