// Loaded before a snippet. The ports that documentation names are taken on the machine of whoever runs the tests: a
// connection to one goes where RESTANTE_TEST_PORTS says, and whoever listens on one gets any that is free.
const net = require('node:net')

const ports = JSON.parse(process.env.RESTANTE_TEST_PORTS ?? '{}')
const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...args) {
  const [first] = args
  const options = Array.isArray(first) ? first[0] : first
  if (typeof options === 'object' && options?.port in ports) options.port = ports[options.port]
  return connect.apply(this, args)
}
const { listen } = net.Server.prototype
net.Server.prototype.listen = function (first, ...rest) {
  if (typeof first === 'number') return listen.call(this, 0, ...rest)
  if (typeof first?.port === 'number') return listen.call(this, { ...first, port: 0 }, ...rest)
  return listen.call(this, first, ...rest)
}
