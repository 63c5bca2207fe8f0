import { parentPort, workerData } from 'node:worker_threads'
import { openLibsql } from './libsql-database'

// Thread of `createCheckpointer`: it copies the write-ahead log into the database file.
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
