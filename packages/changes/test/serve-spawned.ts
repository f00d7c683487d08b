import { mysql } from '@modelwire/connector-mysql'
import { postgresql } from '@modelwire/connector-postgresql'
import { serveTallies } from './serve-tallies.ts'

// A process of an application: the arguments say which database it has.
const [kind, url = ''] = process.argv.slice(2)
const connector = kind === 'postgresql' ? postgresql({ url }) : mysql({ url })
process.stdout.write(`${await serveTallies(connector)}\n`)
