/** The number of runs of the whole service, where `npm run model` does not say: on one version of Node only. */
export const wholeRuns = Number(
  process.env.RESTANTE_MODEL_RUNS ?? (process.env.CI && !process.version.startsWith('v22.') ? 0 : 100),
)

/** For `fc.assert`, which prints the seed and the smallest failure. */
export const parameters = (numRuns: number) => ({
  numRuns,
  endOnFailure: process.env.CI !== undefined,
})
