// Puts all mutants into the code that a test loads, each behind a question whether it is the active one.
import { writeFileSync } from 'node:fs'
import { register } from 'node:module'

const active = process.env.MUTANT === undefined ? undefined : Number(process.env.MUTANT)
const hits = new Set()

globalThis.isMutant = (id) => {
  hits.add(id)
  return id === active
}

register('./loader.mjs', import.meta.url)
const { MUTANT_HITS: file } = process.env
if (file !== undefined) process.on('exit', () => writeFileSync(file, JSON.stringify([...hits])))
