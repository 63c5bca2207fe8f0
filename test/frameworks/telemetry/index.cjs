exports.NodeSDK = class {
  start() {}
  async shutdown() {}
}
