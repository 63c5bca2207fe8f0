// Lays the mails that the questions are about: each mail a file, out of clones of two public repositories (see README.md).
//   node evals/search-questions/lay.mjs --spamassassin CLONE --linux-mips CLONE --mails DIR
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    spamassassin: { type: 'string' },
    'linux-mips': { type: 'string' },
    mails: { type: 'string' },
  },
})
if (!values.spamassassin || !values['linux-mips'] || !values.mails) {
  console.error(
    'usage: lay.mjs --spamassassin <clone of stdlib-js/datasets-spam-assassin> --linux-mips <clone of copslock/kenerl_mipsel_loongson> --mails <folder to write>',
  )
  process.exit(2)
}

/** The commits that the questions were written over; whoever lays later ones may have other mails. */
const spamassassinCommit = '1b84d49ab4b28092ead009b3ceeb67ae525289d1'
const linuxMipsCommit = '1d0fd32437a863629c2af990076ae36090779681'
const linuxMipsMails = 4_000

function git(clone, args, input) {
  const { status, stdout, stderr } = spawnSync('git', ['-C', clone, ...args], { input, maxBuffer: 2 ** 30 })
  if (status !== 0) throw new Error(`git ${args[0]} in ${clone}: ${stderr}`)
  return stdout
}

/** Reads objects; those that a clone lacks are left out. */
function objectsOf(clone, names) {
  const answer = git(clone, ['cat-file', '--batch'], names.join('\n'))
  const objects = []
  for (let at = 0; at < answer.length; ) {
    const lineEnd = answer.indexOf(10, at)
    const size = Number(/ blob (\d+)$/.exec(answer.toString('latin1', at, lineEnd))?.[1] ?? -1)
    at = lineEnd + 1
    if (size < 0) continue
    objects.push(answer.subarray(at, at + size))
    at += size + 1
  }
  return objects
}

/** Without the line of the mbox that begins each mail. */
function withoutEnvelope(raw) {
  return raw.toString('latin1', 0, 5) === 'From ' ? raw.subarray(raw.indexOf(10) + 1) : raw
}

function write(folder, mails) {
  mkdirSync(join(values.mails, folder), { recursive: true })
  mails.forEach((raw, i) => {
    writeFileSync(join(values.mails, folder, `${String(i).padStart(5, '0')}.eml`), withoutEnvelope(raw))
  })
  console.log(`${folder}: ${mails.length} mails`)
}

for (const part of ['easy-ham-1', 'easy-ham-2', 'hard-ham-1']) {
  const paths = git(values.spamassassin, ['ls-tree', '-r', '--name-only', spamassassinCommit, `data/${part}`])
    .toString()
    .split('\n')
    .filter((path) => path.endsWith('.txt'))
  write(
    part,
    objectsOf(
      values.spamassassin,
      paths.map((path) => `${spamassassinCommit}:${path}`),
    ),
  )
}

// Each commit of the list's archive is a mail in the file `m`.
const commits = git(values['linux-mips'], ['rev-list', '--reverse', linuxMipsCommit])
  .toString()
  .trim()
  .split('\n')
write(
  'linux-mips',
  objectsOf(
    values['linux-mips'],
    commits.slice(0, linuxMipsMails).map((commit) => `${commit}:m`),
  ),
)
