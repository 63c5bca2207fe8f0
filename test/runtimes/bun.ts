import { live } from './agent'

const [url = '', apiKey = ''] = process.argv.slice(2)
await live(url, apiKey, (line) => console.log(line))
