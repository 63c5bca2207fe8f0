import { abortable } from '../client'

/** Runs one piece of work for all who ask for the same thing at the same time. */
export type SingleFlight = <T>(key: string, run: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** Who aborts leaves; the work goes on for the others. */
export const createSingleFlight = (): SingleFlight => {
  const flights = new Map<string, Promise<unknown>>()
  return <T>(key: string, run: () => Promise<T>, signal?: AbortSignal) => {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const running = flights.get(key) as Promise<T> | undefined
    const flight = running ?? run().finally(() => flights.delete(key))
    if (!running) flights.set(key, flight)
    return abortable(flight, signal)
  }
}
