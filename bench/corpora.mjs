import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.env.RESTANTE_CORPORA ?? fileURLToPath(new URL('../../shared/corpora', import.meta.url))
/** Folders of whole messages. */
export const messageFolders = [
  'mime/rfc',
  'mime/legacy',
  'mime/malformed',
  'mime/mime4j',
  'bounces/flufl',
  'bounces/sisimai',
]

/** Reads the messages of the corpora, each with its name. */
export const readMessages = () =>
  messageFolders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => !/\.(?:json|xml)$/.test(name))
      .map((name) => ({ name: `${folder}/${name}`, raw: readFileSync(join(root, folder, name)) })),
  )
