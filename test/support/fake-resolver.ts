import type { MailExchanger, Resolver, ServiceRecord } from '../../src/service/ports'

/** What a name has; a string in place of records is the error code of the answer. */
export interface FakeName {
  mx?: MailExchanger[] | string
  addresses?: string[] | string
  txt?: string[][] | string
  /** Of an address, which is the name then. */
  ptr?: string[] | string
  srv?: ServiceRecord[] | string
}

/** A resolver that knows the names of a table and no other. */
export function createFakeResolver(names: Record<string, FakeName>): Resolver & { asked: string[] } {
  const asked: string[] = []
  const failure = (code: string, name: string) => Object.assign(new Error(`${code} ${name}`), { code })
  async function look<Kind extends keyof FakeName>(
    kind: Kind,
    name: string,
  ): Promise<Exclude<FakeName[Kind], string | undefined>> {
    asked.push(`${kind} ${name}`)
    const entry = names[name]
    const value = entry?.[kind] ?? (entry ? 'ENODATA' : 'ENOTFOUND')
    if (typeof value === 'string') throw failure(value, name)
    return value as Exclude<FakeName[Kind], string | undefined>
  }
  return {
    asked,
    mx: (domain) => look('mx', domain),
    addresses: (host) => look('addresses', host),
    txt: (domain) => look('txt', domain),
    ptr: (address) => look('ptr', address),
    srv: (name) => look('srv', name),
  }
}
