/** A stretch of time; its parts add up. */
export interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
  ms?: number
}

/** The same in milliseconds. */
export const milliseconds = ({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Duration): number =>
  (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000 + ms
