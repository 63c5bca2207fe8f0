interface OwnServer extends AsyncDisposable {
  readonly url: string
  /** Its `host:port`. */
  readonly host: string
  start(): Promise<void>
}
/** A PostgreSQL of its own, to be stopped and started. */
export interface OwnPostgres extends OwnServer {
  /** Stops it: `fast` ends every connection with a word, `immediate` without, as a crash does. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
}
/** A server of NATS of its own. */
export interface OwnNats extends OwnServer {
  /** Ends it at once, as a power cut would; it is gone once this resolves. */
  stop(): Promise<void>
}
export const postgresFolders: readonly string[]
export const natsProgram: string | undefined
export function startPostgres(): Promise<OwnPostgres>
export function startNats(): Promise<OwnNats>
