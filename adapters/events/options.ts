import type { IncomingOptions, OptionNames } from 'restante'

/** The options of each view of `mailbox.incoming()`, which checks their values. */
export const incomingNames: OptionNames<IncomingOptions> = {
  ...{ consumer: true, from: true, acknowledge: true, maxInFlight: true, signal: true, inbox: true },
  ...{ spam: true, unanswerable: true, filter: true },
}
