import type { Clock, Logger } from './ports'

/** Stage of closing: its name, its maximum time in ms, and its work. */
export type Stage = readonly [name: string, maxMs: number, close: () => unknown[]]

/** Resolves to true if the work ends in time, else to false. */
function endsWithin(clock: Clock, maxMs: number, ended: Promise<unknown>): Promise<boolean> {
  let cancel = () => {}
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.background(maxMs, () => resolve(false))
  })
  return Promise.race([ended.then(() => true), late]).finally(() => cancel())
}

/** Runs the stages in order. A stage that is late or fails is abandoned, so that the next ones still run. */
export async function closeInStages(
  { clock, logger }: { clock: Clock; logger: Logger },
  stages: readonly Stage[],
): Promise<void> {
  for (const [name, maxMs, close] of stages) {
    try {
      if (!(await endsWithin(clock, maxMs, Promise.all(close()))))
        logger.warn({ maxMs }, `${name} did not close in time: the service ends without it`)
    } catch (error) {
      logger.warn({ error }, `${name} did not close well`)
    }
  }
}
