const { lstatSync } = require('node:fs')

/**
 * Imports by Node itself, past the module runner of the tests. Node 20 takes a link for no link where the last file that
 * this process looked at was a pipe or a socket (`realpathSync` reads its type from what the call before left): a look at
 * a plain file goes before.
 */
module.exports = (path) => {
  lstatSync(__filename)
  return import(path)
}
