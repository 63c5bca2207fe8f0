import type { IncomingOptions, OptionNames } from 'restante'

/** Option names of each view of `mailbox.incoming()`, which checks their values. */
export const incomingNames: OptionNames<IncomingOptions> = {
  ...{ consumer: true, from: true, acknowledge: true, maxInFlight: true, signal: true, inbox: true },
  ...{ spam: true, unanswerable: true, filter: true },
}
