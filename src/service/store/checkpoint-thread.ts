import { parentPort, workerData } from 'node:worker_threads'
import { openLibsql } from './libsql-database'

// What the thread of `createCheckpointer` runs: it brings what the write-ahead log holds into the database file.
const port = parentPort!
const database = openLibsql(workerData as string)
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')

port.on('message', (message: 'checkpoint' | 'end') => {
  if (message === 'end') {
    database.close()
    return port.close()
  }
  checkpoint.all([])
  port.postMessage(null)
})
