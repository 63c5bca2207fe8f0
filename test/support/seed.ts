import fc from 'fast-check'

const asked = process.env.RESTANTE_TEST_SEED

/**
 * What the tests leave to chance is the same in each run, so that a red run speaks of the change and not of luck.
 * `npm run explore` draws anew, and what fails names its seed.
 */
export const seed = asked === 'random' ? Date.now() % 2 ** 31 : Number(asked ?? 4525)

fc.configureGlobal({ seed })
