/** Lets other work run if it is time; returns false if the work must end. */
export type Pause = () => Promise<boolean>

/** Maximum time in ms that nothing else runs. */
export const sliceMs = 0.5

/** Returns a pause that rests after a slice of time, and is almost free before. */
export function inSlices(rest: Pause, ofMs = () => sliceMs): Pause {
  let startedMs = performance.now()
  return async () => {
    if (performance.now() - startedMs < ofMs()) return true
    const goesOn = await rest()
    startedMs = performance.now()
    return goesOn
  }
}

/** Lets everything else run. */
export const others: Pause = () => new Promise((resolve) => setImmediate(resolve, true))

/** Work in steps far shorter than a slice. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Runs all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Runs steps with pauses; null if it was ended. */
export async function withPauses<T>(steps: Steps<T>, pause: Pause): Promise<T | null> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (!(await pause())) return null
  }
}
