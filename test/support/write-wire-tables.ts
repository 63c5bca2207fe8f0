import { writeFileSync } from 'node:fs'
import { wireTables } from './wire-tables'

writeFileSync('src/protocol/wire.json', wireTables())
