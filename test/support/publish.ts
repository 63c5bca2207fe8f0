import type { FakeName } from './fake-resolver'

interface Published {
  type: string
  name: string
  value: string
}

/** Puts records into the table of a fake resolver, as whoever reads them would into the DNS. */
export function publish(names: Record<string, FakeName>, records: readonly Published[]): void {
  for (const { type, name, value } of records) {
    names[name] ??= {}
    const entry = names[name]
    const [priority = '', exchange = ''] = value.split(' ')
    if (type === 'MX') entry.mx = [{ priority: Number(priority), exchange }]
    // A long text comes in parts.
    else entry.txt = [...(Array.isArray(entry.txt) ? entry.txt : []), value.match(/.{1,255}/g) ?? []]
  }
}
