import { BlockList, isIP } from 'node:net'
import { join } from 'node:path'
import type { ServerOptions } from '@modelwire/boot'
import type { Command } from 'commander'
import { CommandError } from '../errors.ts'
import { type IgnoreRules, ignoreRules } from '../diff/ignore-rules.ts'

/** The flags of the command line about the server behind, unparsed. */
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

/** The options from these flags, parsed and checked. */
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

/** Where the address and the token of a running control API are kept in an application's folder. */
export const controlFileOf = (dir: string): string => join(dir, '.modelwire', 'control.json')

/** What an application is started with before an old server: sessions end there, too, and that counts at once. */
export const behindServerOptions = ({ behind }: BehindFlags): Pick<ServerOptions, 'users'> =>
  behind === undefined ? {} : { users: { tokenCacheAge: 0 } }

/** Adds the options of `serve --behind` to a command. */
export function addBehindOptions(command: Command): Command {
  return command
    .option('--behind <url>', 'the server that was there before: it answers every route until that is handed over')
    .option(
      '--behind-timeout <ms>',
      'with --behind: milliseconds until its answer has to begin; 0 waits forever',
      defaults.behindTimeout
    )
    .option(
      '--behind-host <which>',
      'with --behind: the Host that it gets, that of the client or its own',
      defaults.behindHost
    )
    .option(
      '--behind-trust <addresses...>',
      'with --behind: addresses or networks of proxies in front, whose Forwarded and X-Forwarded-… headers go on'
    )
    .option('--after <n>', 'with --behind: hand a reading route over after so many equal answers in a row')
    .option('--no-hand-back-on-error', 'with --behind: leave a route that answers 5xx where it is')
    .option(
      '--control-port <number>',
      'with --behind: port of the control page on 127.0.0.1; 0 takes a free one',
      defaults.controlPort
    )
    .option(
      '--state <file>',
      'with --behind: keeps what was handed over (default: .modelwire/behind.json in the folder)'
    )
    .option('--sample <share>', 'with --behind: the part of all reads to compare, from 0 to 1', defaults.sample)
    .option('--compare-limit <bytes>', 'with --behind: longer answers are not compared', defaults.compareLimit)
    .option('--reads <methods...>', 'with --behind: methods of the application that only read, such as Product.search')
    .option('--ignore <places...>', 'with --behind: places of bodies that may differ, such as /*/updated')
    .option('--ignore-ids', 'with --behind: ids and tokens that are made up at random may differ')
    .option('--ignore-times', 'with --behind: times may differ')
}

function numberOf(text: string, option: string, isPossible: (value: number) => boolean): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && isPossible(value)) return value
  throw new CommandError('USAGE', `${option}: ${text} is not possible`)
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
 * The options of a server before another one; undefined without `--behind`.
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
