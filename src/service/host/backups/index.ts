/** Format of a backup, and data folders made from one. */

export {
  copyBlobs,
  copySecret,
  namedBlobs,
  type OnCopied,
  takeEmptyFolder,
  writeManifest,
} from './backup-folder'
export { restore } from './restore'
