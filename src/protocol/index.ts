/**
 * The wire between the mailbox and the service: every shape once, as a zod schema with its inferred type.
 *
 * @module
 */
export * from './account'
export * from './common'
export * from './console'
export * from './consumer'
export * from './deleted'
export * from './domain'
export * from './draft'
export * from './error'
export * from './error-codes'
export * from './event'
export * from './frames'
export * from './inbox'
export * from './label'
export * from './list'
export * from './message'
export * from './route'
export * from './routes'
export * from './suppression'
export * from './thread'
export * from './upload'
export * from './wait-token'
export * from './webhook'
export * from './webhook-signature'
