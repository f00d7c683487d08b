// Holds generated conversations with Modelwire against a real LoopBack 3. After a build:
//   node conformance/dist/conversations.js --loopback FOLDER [--seed 1] [--count 20] [--each 5] [--length 15] [--show 3] [--only TEXT]
// FOLDER is where `npm install loopback@3 loopback-boot@3` was run. See conformance/README.md.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { AllowedDifference } from './conversations/allowed-difference.ts'
import { openFramework } from './conversations/framework.ts'
import { makeApplication } from './conversations/make-application.ts'
import { makeConversation } from './conversations/make-conversation.ts'
import { printCase, printFindings, type Group } from './conversations/print-findings.ts'
import { randomFrom } from './conversations/random.ts'
import { runConversation, type Comparison } from './conversations/run-conversation.ts'
import { shrink, type Case } from './conversations/shrink.ts'

const { values: options } = parseArgs({
  options: {
    loopback: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    each: { type: 'string', default: '5' },
    length: { type: 'string', default: '15' },
    show: { type: 'string', default: '3' },

    whole: { type: 'boolean', default: false },
    only: { type: 'string', default: '' }
  }
})
if (options.loopback === undefined) throw new TypeError('--loopback names the folder in which LoopBack 3 is installed')

const rulesFile = join(import.meta.dirname, '..', 'allowed-differences.json')
const comparison: Comparison = {
  loopback: await openFramework('loopback', resolve(options.loopback)),
  modelwire: await openFramework('modelwire'),
  rules: JSON.parse(readFileSync(rulesFile, 'utf8')) as readonly AllowedDifference[] // Its form is tested.
}
const groups = new Map<string, Group>()
const rules = new Map<string, number>()
let requests = 0
let refused = 0

/** The conversation `SEED.PLACE`: the seed makes the application, both make the requests. */
function caseOf(name: string): Case {
  const [seed = 0, place = 0] = name.split('.').map(Number)
  const { models, files } = makeApplication(randomFrom(seed))
  return { files, requests: makeConversation(randomFrom(seed * 1000 + place), models, Number(options.length)) }
}

async function converse(name: string): Promise<void> {
  const given = caseOf(name)
  const outcome = await runConversation(given.files, given.requests, comparison)
  requests += outcome.requests
  if (outcome.refused !== undefined) refused += 1
  for (const rule of new Set(outcome.allowed)) rules.set(rule, (rules.get(rule) ?? 0) + 1)
  for (const finding of outcome.findings.filter(({ signature }) => signature.includes(options.only))) {
    const group = groups.get(finding.signature) ?? { signature: finding.signature, seeds: [], cases: [] }
    group.seeds.push(name)
    const requestsBefore = given.requests.slice(0, given.requests.indexOf(finding.request) + 1)
    group.cases.push({ files: given.files, requests: requestsBefore })
    groups.set(finding.signature, group)
  }
}

async function showSmallest({ signature, seeds: [seed = ''], cases: [given] }: Group): Promise<void> {
  if (given === undefined) return
  const has = async ({ files, requests: some }: Case) =>
    (await runConversation(files, some, comparison)).findings.some((finding) => finding.signature === signature)
  const smallest = options.whole ? given : await shrink(given, has)
  const { findings } = await runConversation(smallest.files, smallest.requests, comparison)
  printCase({ seed, signature, smallest, finding: findings.find((finding) => finding.signature === signature) })
}

try {
  const seeds = Array.from({ length: Number(options.count) }, (_, at) => Number(options.seed) + at)
  const places = Array.from({ length: Number(options.each) }, (_, at) => at)
  for (const name of seeds.flatMap((seed) => places.map((place) => `${seed}.${place}`))) await converse(name)
  const sorted = [...groups.values()].toSorted((one, other) => other.seeds.length - one.seeds.length)
  for (const group of sorted.slice(0, Number(options.show))) await showSmallest(group)
  printFindings({
    groups: sorted,
    rules,
    requests,
    refused,
    conversations: Number(options.count) * Number(options.each)
  })
} finally {
  await Promise.all([comparison.loopback.close(), comparison.modelwire.close()])
}
process.exitCode = groups.size > 0 ? 1 : 0
