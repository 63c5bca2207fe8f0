import type { ChangePorts } from '../accounts/ports'
import type { Secrets } from '../base/secrets'
import type { EraseSweeper } from '../erasure/erase-sweep'
import type { OutboundPorts } from '../outbound/delivery/ports'
import type { BlobStore, Logger, MailParser } from '../ports'
import type { EmbeddingSettings } from '../search/semantic/open-embedders'
import type { BlobSettings } from '../store/blobs/open-blobs'

/** Settings that say where the service is: on a data folder, or on a database. */
export interface Place extends BlobSettings, EmbeddingSettings {
  databaseUrl?: string | undefined
  secret?: string | undefined
  domain?: string | undefined
  publicUrl?: string | undefined
  consoleUrl?: string | undefined
  plans: ChangePorts['settings']['plans']
}

/** Running service, as its administrator's commands see it. */
export interface RunningService {
  readonly ports: OutboundPorts
  readonly eraser: EraseSweeper | undefined
  isClosing(): boolean
  home(): Promise<object>
}

/** Ports of a command: those of a running service, or of a database that the command has opened. */
export interface AdminPorts extends ChangePorts {
  readonly settings: ChangePorts['settings'] & { readonly domain?: string | undefined }
  readonly place: Place
  readonly logger: Logger
  readonly secrets: Secrets
  readonly parser: MailParser
  openBlobs(): Promise<BlobStore>
  /** The service that runs the command; null if there is none. */
  readonly service: RunningService | null
}
