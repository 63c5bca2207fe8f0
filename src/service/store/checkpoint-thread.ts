import { parentPort, workerData } from 'node:worker_threads'
import { endThread } from '../base/end-thread'
import { openLibsql } from './libsql-database'

// Thread of `createCheckpointer`: it copies the write-ahead log into the database file.
const port = parentPort!
const database = openLibsql(workerData as string)
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')

port.on('message', (message: 'checkpoint' | 'end') => {
  if (message === 'end') {
    database.close()
    return endThread(port)
  }
  checkpoint.all([])
  port.postMessage(null)
})
