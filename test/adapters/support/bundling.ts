import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect } from 'vitest'
import { start } from '../../cli/support/cli'
import { openProject } from '../../support/tarball'

/** An adapter is bundled beside its framework, brings no service with it, and runs. */
export async function runsBundled(entry: string, needs: string, make = 'createMailboxTools'): Promise<void> {
  const folder = await openProject({ [needs]: needs })
  const program = `
    import { ${make} } from 'restante/${entry}'
    const made = ${make}({ inboxes: [] }, { readOnly: true })
    console.log(typeof made)`
  await writeFile(join(folder, 'app.mjs'), program)
  const { warnings, metafile } = await build({
    ...{
      absWorkingDir: folder,
      entryPoints: ['app.mjs'],
      outfile: 'bundle.mjs',
      bundle: true,
      format: 'esm',
    },
    ...{ platform: 'node', logLevel: 'silent', external: [needs, `${needs}/*`], metafile: true },
  })
  expect(warnings).toEqual([])
  const inputs = Object.keys(metafile.inputs).join('\n')
  expect(inputs).toContain(`restante/dist/${entry}.js`)
  expect(inputs).not.toMatch(/restante\/dist\/(?:service|cli)\.js/)
  const { code, out, err } = await start(process.execPath, ['bundle.mjs'], { cwd: folder }).ended
  expect({ code, out }, err).toEqual({ code: 0, out: 'object\n' })
}
