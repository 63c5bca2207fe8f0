import { createJiti } from 'jiti'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

/**
 * Puts the constants that `src/protocol/wire.ts` computes in its place: what they are computed from, the schemas, is
 * then not loaded by those who need no more than the outcome.
 */
export const computed: Plugin = {
  name: 'computed',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]protocol[\\/]wire\.ts$/ }, async ({ path }) => {
      const constants = await createJiti(import.meta.url).import<Record<string, unknown>>(path)
      const lines = Object.entries(constants).map(
        ([name, value]) => `export const ${name} = ${JSON.stringify(value)}`,
      )
      return { contents: lines.join('\n'), loader: 'js' }
    })
  },
}
