import type { Clock, Logger } from './ports'

/** A part of closing: what it closes, how long that may take, and how. */
export type Stage = readonly [name: string, maxMs: number, close: () => unknown[]]

/** Resolves to false if it took longer. */
function endsWithin(clock: Clock, maxMs: number, ended: Promise<unknown>): Promise<boolean> {
  let cancel = () => {}
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.background(maxMs, () => resolve(false))
  })
  return Promise.race([ended.then(() => true), late]).finally(() => cancel())
}

/** Closes one after the other. What takes too long or fails is left behind, so that the next is closed too. */
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
