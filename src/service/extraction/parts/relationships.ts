import { readXml } from './xml'
import type { Zip } from './zip'

/** Resolves a path of an archive against the folder of a member. */
export function resolvePath(member: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const folders = member.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') folders.pop()
    else if (part !== '.') folders.push(part)
  }
  return folders.join('/')
}

/** Reads the relationships of a part of an Office file: targets by id; paths in the archive, or addresses. */
export async function readRelationships(zip: Zip, part: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const slash = part.lastIndexOf('/') + 1
  await readXml(zip.named(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`), {
    open(name, { Id, Target, TargetMode }) {
      if (name !== 'Relationship' || Id === undefined || Target === undefined) return
      found.set(Id, TargetMode === 'External' ? Target : resolvePath(part, Target))
    },
  })
  return found
}
