import { execFileSync } from 'node:child_process'
import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './temporary-folder'

const source = fileURLToPath(new URL('power-loss.c', import.meta.url))
const pageBytes = 4_096

/** A folder on a disk that loses its power. */
export interface PoweredFolder {
  readonly path: string
  /** Environment of the processes that use it. */
  readonly env: Readonly<Record<string, string>>
  /** Leaves what was synced, and of other pages those that `random` draws. No process may use it. */
  lose(random: () => number): Promise<void>
}

/** Content of a file after the loss: the disk may have written some of its later pages, in any order. */
function mixed(synced: Buffer, latest: Buffer, random: () => number): Buffer {
  const content = Buffer.alloc(Math.max(synced.length, latest.length))
  synced.copy(content)
  let end = synced.length
  for (let at = 0; at < latest.length; at += pageBytes) {
    const page = latest.subarray(at, at + pageBytes)
    if (synced.subarray(at, at + pageBytes).equals(page) || random() < 0.5) continue
    page.copy(content, at)
    end = Math.max(end, at + page.length)
  }
  return content.subarray(0, end)
}

const absent = () => null

/** Makes a {@link PoweredFolder}. */
export async function powerFolder(): Promise<PoweredFolder> {
  const root = await temporaryFolder()
  const [path, kept] = [join(root, 'disk'), join(root, 'kept')]
  const library = join(root, 'power-loss.so')
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source])
  const empty = async () => {
    for (const part of ['data', 'entries']) await mkdir(join(kept, part), { recursive: true })
  }
  await mkdir(path, { mode: 0o700 })
  await empty()

  /** By path in the folder, the inode of each file that the disk has. */
  async function entries(): Promise<Map<string, string>> {
    const all = new Map<string, string>()
    for (const folder of await readdir(join(kept, 'entries')))
      for (const line of (await readFile(join(kept, 'entries', folder), 'utf8'))
        .split('\n')
        .filter(Boolean)) {
        const [inode, name] = line.split(/ (.*)/)
        all.set(join(folder.replaceAll('%', '/').slice(1), name!), inode!)
      }
    return all
  }

  return {
    path,
    env: { LD_PRELOAD: library, POWER_FROM: path, POWER_TO: kept },
    async lose(random) {
      const files: { name: string; content: Buffer }[] = []
      for (const [name, inode] of await entries()) {
        const synced = await readFile(join(kept, 'data', inode)).catch(() => Buffer.alloc(0))
        const now = await stat(join(path, name)).catch(absent)
        const latest = now && String(now.ino) === inode ? await readFile(join(path, name)) : synced
        files.push({ name, content: mixed(synced, latest, random) })
      }
      await rm(path, { recursive: true })
      await rm(kept, { recursive: true })
      await empty()
      await mkdir(path, { mode: 0o700 })
      for (const { name, content } of files) {
        const file = join(path, name)
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await writeFile(file, content, { mode: 0o600 })
        const inode = String((await stat(file)).ino)
        await writeFile(join(kept, 'data', inode), content)
        const folder = dirname(name) === '.' ? '/' : `/${dirname(name)}`
        await appendFile(join(kept, 'entries', folder.replaceAll('/', '%')), `${inode} ${basename(name)}\n`)
      }
      await chmod(path, 0o700)
    },
  }
}
