import { readFileSync, writeFileSync } from 'node:fs'
import { withFrameworkTable } from './frameworks'

writeFileSync('README.md', withFrameworkTable(readFileSync('README.md', 'utf8')))
