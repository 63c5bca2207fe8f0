import { live } from './agent'

export default {
  async test(_controller: unknown, { url, apiKey }: { url: string; apiKey: string }): Promise<void> {
    await live(url, apiKey, (line) => console.log(line))
  },
}
