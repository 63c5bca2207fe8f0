/** Parts that all commands use: output, connection to the service, waiting. */

export {
  addConnectionFlags,
  addingTo,
  askHere,
  type Connection,
  type ConnectionOptions,
  callService,
  collect,
  findConnection,
} from './connection'
export { draftText } from './draft-text'
export {
  clockTime,
  createOutput,
  duration,
  fields,
  fileSize,
  jsonOption,
  localTime,
  type Output,
  paint,
  printable,
  printableLines,
  wrapped,
  writeError,
} from './output'
export { countArgument, everyPage, firstRows } from './pages'
export { createProgress, type Progress } from './progress'
export { addSecretOption, warnOfSecrets } from './secret-arguments'
export {
  addSettingFlags,
  adminSettings,
  blobSettings,
  devDefaults,
  serveDefaults,
  settingOptions,
} from './setting-flags'
export { readText } from './standard-input'
export { untilStopped } from './until-stopped'
