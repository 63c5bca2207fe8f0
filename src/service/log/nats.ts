// Bundled separately, and loaded only if a server is configured.
export { connect } from '@nats-io/transport-node'
