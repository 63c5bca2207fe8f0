import { growsLinearly } from '../support/timing'
import { fieldCases, functionCases, messageCases } from './growing-inputs'
import { readerCases } from './growing-readers'

// A process of its own: the heap of a hundred other test files would add its garbage collection to what is measured.
const failures: Record<string, string> = {}
for (const [name, work] of [...fieldCases, ...functionCases, ...readerCases, ...messageCases])
  await growsLinearly(name, work).catch((error: unknown) => {
    failures[name] = String(error)
  })
console.log(JSON.stringify(failures))
