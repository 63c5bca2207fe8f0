import { readFileSync, writeFileSync } from 'node:fs'
import { withSettingsTable } from './settings-table'

const file = 'docs/operating.md'
writeFileSync(file, withSettingsTable(readFileSync(file, 'utf8')))
