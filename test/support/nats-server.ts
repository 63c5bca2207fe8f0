import { natsProgram } from '../../bench/own-servers.mjs'

export { startNats } from '../../bench/own-servers.mjs'

/** Why no server of NATS can be run; null where one can. */
export const noNats =
  natsProgram === undefined ? 'nats-server is not installed (apt install nats-server)' : null
if (noNats && process.env.CI) throw new Error(noNats)
if (noNats) console.warn(`skipped: tests of NATS: ${noNats}`)
