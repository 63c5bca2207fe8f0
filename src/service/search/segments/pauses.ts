/** Lets other work have its turn, where it is time; false where the work is to end. */
export type Pause = () => Promise<boolean>

/** So long nothing else has its turn. */
export const sliceMs = 0.5

/** Pauses that rest once a slice of time is worked, and cost next to nothing before. */
export function inSlices(rest: Pause, ofMs = () => sliceMs): Pause {
  let startedMs = performance.now()
  return async () => {
    if (performance.now() - startedMs < ofMs()) return true
    const goesOn = await rest()
    startedMs = performance.now()
    return goesOn
  }
}

/** Work in steps of far less than a slice. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Carries out all steps with nothing between. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Carries out steps with pauses between; null where it was ended. */
export async function withPauses<T>(steps: Steps<T>, pause: Pause): Promise<T | null> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (!(await pause())) return null
  }
}
