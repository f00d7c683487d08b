import { BlockList, isIP } from 'node:net'
import { join } from 'node:path'
import type { ServerOptions } from '@modelwire/boot'
import type { Command } from 'commander'
import { CommandError } from '../errors.ts'
import { type IgnoreRules, ignoreRules } from '../diff/ignore-rules.ts'

/** The unparsed command line flags for the old server. */
export interface BehindFlags {
  readonly behind?: string
  readonly behindTimeout?: string
  readonly behindHost?: string
  readonly behindTrust?: readonly string[]
  readonly after?: string
  readonly handBackOnError?: boolean
  readonly controlPort?: string
  readonly state?: string
  readonly sample?: string
  readonly compareLimit?: string
  readonly reads?: readonly string[]
  readonly ignore?: readonly string[]
  readonly ignoreIds?: boolean
  readonly ignoreTimes?: boolean
}

/** The parsed and validated options from these flags. */
export interface BehindOptions {
  readonly url: URL
  readonly timeout: number
  readonly rewriteHost: boolean
  readonly isTrusted: (address: string) => boolean
  readonly after: number | undefined
  readonly handBackOnError: boolean
  readonly controlPort: number
  readonly stateFile: string
  readonly controlFile: string
  readonly sample: number
  readonly compareLimit: number
  readonly alsoReading: readonly string[]
  readonly rules: IgnoreRules
}

/** The defaults of the flags, as written on the command line. */
const defaults = {
  behindTimeout: '120000',
  behindHost: 'client',
  controlPort: '4001',
  sample: '1',
  compareLimit: '1048576',
  handBackOnError: true
} as const

/** The file in an application's folder that contains the address and token of a running control API. */
export const controlFileOf = (dir: string): string => join(dir, '.modelwire', 'control.json')

/** The server options of an application in front of an old server: sessions that end there must also end here at once. */
export const behindServerOptions = ({ behind }: BehindFlags): Pick<ServerOptions, 'users'> =>
  behind === undefined ? {} : { users: { tokenCacheAge: 0 } }

/** Adds the options of `serve --behind` to a command. */
export function addBehindOptions(command: Command): Command {
  return command
    .option('--behind <url>', 'URL of the existing server: it handles every route until the route is handed over')
    .option(
      '--behind-timeout <ms>',
      'with --behind: milliseconds until its response must begin; 0: no limit',
      defaults.behindTimeout
    )
    .option('--behind-host <which>', "with --behind: the Host sent to it, the client's or its own", defaults.behindHost)
    .option(
      '--behind-trust <addresses...>',
      'with --behind: addresses or networks of proxies in front, whose Forwarded and X-Forwarded-… headers are passed on'
    )
    .option('--after <n>', 'with --behind: hand over a read-only route after this many equal responses in a row')
    .option('--no-hand-back-on-error', 'with --behind: do not hand back routes that answer 5xx')
    .option(
      '--control-port <number>',
      'with --behind: port of the control page on 127.0.0.1; 0: any free port',
      defaults.controlPort
    )
    .option(
      '--state <file>',
      'with --behind: file that records what was handed over (default: .modelwire/behind.json in the folder)'
    )
    .option('--sample <share>', 'with --behind: fraction of all reads to compare, from 0 to 1', defaults.sample)
    .option('--compare-limit <bytes>', 'with --behind: do not compare longer responses', defaults.compareLimit)
    .option('--reads <methods...>', 'with --behind: read-only methods of the application, such as Product.search')
    .option('--ignore <places...>', 'with --behind: places in bodies that may differ, such as /*/updated')
    .option('--ignore-ids', 'with --behind: randomly generated ids and tokens may differ')
    .option('--ignore-times', 'with --behind: times may differ')
}

function numberOf(text: string, option: string, isPossible: (value: number) => boolean): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && isPossible(value)) return value
  throw new CommandError('USAGE', `invalid ${option}: ${text}`)
}

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.username === '') return url
  throw new CommandError('USAGE', `--behind must be a URL, such as http://localhost:3001, not ${text}`)
}

function rewritesHost(which: string): boolean {
  if (which === 'client' || which === 'own') return which === 'own'
  throw new CommandError('USAGE', `--behind-host must be client or own, not ${which}`)
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function addNetwork(list: BlockList, text: string): void {
  const [address = '', length] = text.split('/')
  const bits = length === undefined ? undefined : Number(length)
  const isPossible = bits === undefined || (/^\d+$/.test(length ?? '') && bits <= (isIP(address) === 6 ? 128 : 32))
  if (isIP(address) === 0 || !isPossible)
    throw new CommandError('USAGE', `--behind-trust: ${text} is not an address or a network such as 10.0.0.0/8`)
  if (bits === undefined) list.addAddress(address, familyOf(address))
  else list.addSubnet(address, bits, familyOf(address))
}

function trustedAddresses(texts: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const text of texts.flatMap((each) => each.split(','))) addNetwork(list, text.trim())
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

/**
 * The options of a server in front of another one; undefined without `--behind`.
 * @throws {CommandError} USAGE: an option has an impossible value
 */
export function readBehindOptions(dir: string, flags: BehindFlags): BehindOptions | undefined {
  const merged = { ...defaults, ...flags }
  const { behind, after, state, ignore = [], ignoreIds = false, ignoreTimes = false } = merged
  if (behind === undefined) return undefined
  return {
    url: urlOf(behind),
    timeout: numberOf(merged.behindTimeout, '--behind-timeout', isCount),
    rewriteHost: rewritesHost(merged.behindHost),
    isTrusted: trustedAddresses(merged.behindTrust ?? []),
    after: after === undefined ? undefined : numberOf(after, '--after', (value) => isCount(value) && value > 0),
    handBackOnError: merged.handBackOnError,
    controlPort: numberOf(merged.controlPort, '--control-port', (value) => isCount(value) && value <= 65_535),
    stateFile: state ?? join(dir, '.modelwire', 'behind.json'),
    controlFile: controlFileOf(dir),
    sample: numberOf(merged.sample, '--sample', (value) => value >= 0 && value <= 1),
    compareLimit: numberOf(merged.compareLimit, '--compare-limit', isCount),
    alsoReading: merged.reads ?? [],
    rules: ignoreRules({ paths: ignore, ids: ignoreIds, times: ignoreTimes })
  }
}
