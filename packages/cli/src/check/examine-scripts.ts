import { readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { compileFunction } from 'node:vm'
import { isPlainObject } from '@modelwire/server'
import { isFunction, resolveFrom } from '@modelwire/loopback/express'
import { collectNotes, isProvided, missingMembers, commonJsInModules, noteScriptSource } from '@modelwire/boot/check'
import type { AppFolder } from '@modelwire/boot'
import { type Finding, findingOfNote, textOf } from './finding.ts'
import { configScript } from './mended-files.ts'

/** The scripts of an application, none of which is run. */
export interface ExaminedScripts {
  /** Replaces the loading of a script: reads it, and the files that it requires. */
  readonly load: (folder: AppFolder, path: string) => unknown
  readonly scripts: ReadonlyMap<string, ReadScript>
  readonly findings: readonly Finding[]
  /** Configuration that is written as a script: `datasources` and the like. */
  readonly unknownConfigs: ReadonlySet<string>
}

const isPackage = (path: string): boolean => /[\\/]node_modules[\\/]/.test(path)

/** A script that was read but not run. */
export interface ReadScript {
  readonly path: string
  readonly text: string
  /** Absolute paths of the application's scripts that it requires. */
  readonly required: readonly string[]
  /** Required packages that are not installed, with their lines. */
  readonly missing: readonly { readonly name: string; readonly line: number }[]
  readonly findings: readonly Finding[]
}

/** An examination of scripts for one major version of LoopBack. */
export function createExaminedScripts(version: 2 | 3): ExaminedScripts {
  const scripts = new Map<string, ReadScript>()
  const findings: Finding[] = []
  const unknownConfigs = new Set<string>()
  const visit = (folder: AppFolder, path: string): ReadScript => {
    const cached = scripts.get(path)
    if (cached !== undefined) return cached
    const script = readScript(folder, path)
    scripts.set(path, script)
    const { notes, add } = collectNotes()
    if (!isPackage(path) && script.text !== '') noteScriptSource(folder, path, version, add)
    if (!isPackage(path)) findings.push(...findMissingMembers(folder.nameOf(path), script.text))
    findings.push(...script.findings, ...notes.map(findingOfNote))
    for (const required of script.required) visit(folder, required)
    return script
  }
  const load = (folder: AppFolder, path: string): unknown => {
    const config = dirname(path) === folder.serverDir ? configScript.exec(basename(path))?.[1] : undefined
    // Packages are not the application's to be looked into.
    if (config === undefined) return standInFor(isPackage(path) ? '' : visit(folder, path).text)
    unknownConfigs.add(config)
    const reason = 'this configuration is a script: its result is unknown until it runs'
    findings.push({
      effect: 'info',
      file: folder.nameOf(path),
      reason,
      advice: `write it as ${config}.json to have it examined`
    })
    return {}
  }
  return { load, scripts, findings, unknownConfigs }
}

/** Reads a script: what it requires, and whether it can be loaded at all. Nothing of it is run. */
function readScript(folder: AppFolder, path: string): ReadScript {
  const file = folder.nameOf(path)
  const text = textOf(path)
  if (text === undefined) return { path, text: '', required: [], missing: [], findings: [unreadable(file)] }
  const wanted = requiresIn(text).filter(({ name }) => !isBuiltin(name) && !isProvided(name))
  const local = wanted.filter(({ name }) => name.startsWith('.'))
  const found = local.map((entry) => ({ ...entry, resolved: resolveFrom([dirname(path)], entry.name) }))
  const gone = found.filter(({ resolved }) => resolved === undefined)
  return {
    path,
    text,
    required: found.flatMap(({ resolved }) => resolved ?? []).filter((each) => /\.[cm]?js$/.test(each)),
    missing: wanted.filter(({ name }) => !name.startsWith('.') && resolveFrom([dirname(path)], name) === undefined),
    findings: [
      ...syntaxFindings(path, file, text),
      ...gone.map(({ name, line }): Finding => {
        const reason = `it requires ${name}, which does not exist`
        return {
          effect: 'fails',
          file,
          line,
          code: 'SCRIPT_FAILED',
          reason,
          advice: 'correct the path, or add the file'
        }
      })
    ]
  }
}

const unreadable = (file: string): Finding => ({
  effect: 'fails',
  file,
  code: 'SCRIPT_FAILED',
  reason: 'the script cannot be read',
  advice: 'replace it with a readable file'
})

/** The line of the first match of a pattern, counted from 1. */
function lineOfMatch(text: string, pattern: RegExp): number | undefined {
  const index = text.search(pattern)
  return index === -1 ? undefined : text.slice(0, index).split('\n').length
}

function requiresIn(text: string): { name: string; line: number }[] {
  return text.split('\n').flatMap((code, index) => {
    const calls = /^\s*(?:\/\/|\*|\/\*)/.test(code) ? [] : code.matchAll(/\brequire\(\s*['"]([^'"]+)['"]\s*\)/g)
    return Array.from(calls, ([, name = '']) => ({ name, line: index + 1 }))
  })
}

function syntaxFindings(path: string, file: string, text: string): Finding[] {
  if (isModule(path, text)) return isMistaken(path, text) ? [mistakenFinding(file, text)] : []
  try {
    // Compiled, not called.
    compileFunction(text.replace(/^#!/, '//'), ['exports', 'require', 'module', '__filename', '__dirname'], {
      filename: path
    })
    return []
  } catch (error) {
    // What is nested too deep leaves the parser no room.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    const line = Number(/:(\d+)\n/.exec(error.stack ?? '')?.[1] ?? 1)
    const reason = `the script cannot be loaded: ${error.message}`
    return [{ effect: 'fails', file, line, code: 'SCRIPT_FAILED', reason, advice: 'correct the script' }]
  }
}

/** True for what Node takes for an ECMAScript module, whose syntax is not looked at. */
function isModule(path: string, text: string): boolean {
  const ending = extname(path)
  if (ending !== '.js') return ending === '.mjs'
  return packageType(dirname(path)) === 'module' || moduleSyntax.test(text)
}

const moduleSyntax = /^\s*(?:import\b[^(]|export\b)/m

const commonJs = /\bmodule\.exports\b|\brequire\(\s*['"]/

/** True when a script of CommonJS lies in a package of modules. */
function isMistaken(path: string, text: string): boolean {
  return extname(path) === '.js' && commonJs.test(text) && !moduleSyntax.test(text)
}

function mistakenFinding(file: string, text: string): Finding {
  const line = lineOfMatch(text, commonJs)
  return { effect: 'fails', file, line, code: 'SCRIPT_FAILED', ...commonJsInModules }
}

function packageType(dir: string): unknown {
  const path = join(dir, 'package.json')
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return typeIn(path)
  const above = dirname(dir)
  return above === dir ? undefined : packageType(above)
}

function typeIn(path: string): unknown {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isPlainObject(manifest) ? manifest['type'] : undefined
  } catch {
    // Node refuses the scripts of a package with a malformed manifest: that is reported where the manifest is read.
    return undefined
  }
}

const enablesAuth = /\.enableAuth\s*\(/

const declaresMethod = /\.remoteMethod\(\s*['"]([\w.]+)['"]/g

const declaresMethodOf = /\bmodels\.(\w+)\.remoteMethod\(\s*['"]([\w.]+)['"]/g

/**
 * What stands in for the exports of a script that is not run. Called with a model, it declares the remote methods that the
 * script names; called with the application, it switches access control on where the script does.
 */
function standInFor(source: string): unknown {
  const text = source.replace(/(^|\s)\/\/.*$/gm, '')
  const call = (target: unknown): unknown => {
    if (enablesAuth.test(text)) callMember(target, 'enableAuth', [])
    for (const [, name] of text.matchAll(declaresMethod)) callMember(target, 'remoteMethod', [name, {}])
    for (const [, model = '', name] of text.matchAll(declaresMethodOf))
      callMember(memberOf(memberOf(target, 'models'), model), 'remoteMethod', [name, {}])
    return callNext
  }
  const isOwn = (name: string | symbol): boolean =>
    typeof name === 'symbol' || name === 'then' || name === 'default' || Reflect.has(call, name)
  // Middleware may be a part of what a module exports.
  return new Proxy(call, {
    get: (target, name, receiver: unknown): unknown => (isOwn(name) ? Reflect.get(target, name, receiver) : call)
  })
}

/** A handler of requests, which is never called. */
function callNext(_request: unknown, _response: unknown, next: unknown): void {
  if (isFunction(next)) next()
}

function callMember(target: unknown, name: string, args: readonly unknown[]): void {
  const member = memberOf(target, name)
  if (isFunction(member)) Reflect.apply(member, target, args)
}

function memberOf(target: unknown, name: string): unknown {
  return target === undefined || target === null ? undefined : Reflect.get(Object(target), name)
}

/** A pattern that shows that a script calls an unsupported member. */
interface Sign {
  readonly pattern: RegExp
  /** Matches if the application defines a member of this name itself. */
  readonly own: RegExp
  readonly reason: string
  readonly advice: string
}

// How scripts name what has the members: by the habits of LoopBack's applications, since source text has no types.
const modelReceiver = String.raw`(?:\bmodels(?:\.\w+|\[[^\]]+\])|\b[A-Z]\w*)`

const dataSourceReceiver = String.raw`(?:\b(?:ds|db|dataSource|datasource)|\b[dD]ata[sS]ources(?:\.\w+|\[[^\]]+\]))`

function signsOf(owner: keyof typeof missingMembers, receiver: string): readonly Sign[] {
  return Object.entries(missingMembers[owner]).map(([name, advice]) => ({
    pattern: new RegExp(String.raw`${receiver}\.${name}\s*\(`),
    own: new RegExp(String.raw`\.${name}\s*=(?!=)`),
    reason: `${owner}.${name} does not exist: calls to it fail with MEMBER_NOT_PROVIDED`,
    advice
  }))
}

const signs: readonly Sign[] = [
  ...signsOf('Model', modelReceiver),
  ...signsOf('dataSource', dataSourceReceiver),
  ...signsOf('app', String.raw`\bapp`),
  ...signsOf('remotes', String.raw`\bremotes(?:\(\))?`)
]

const isComment = (line: string): boolean => /^\s*(?:\/\/|\*|\/\*)/.test(line)

/** Calls of unsupported members, by line. A name that the script itself assigns is the application's own. */
export function findMissingMembers(file: string, text: string): readonly Finding[] {
  const lines = text.split('\n').map((line) => (isComment(line) ? '' : line))
  const wanted = signs.filter(({ pattern, own }) => pattern.test(text) && !own.test(text))
  return wanted.flatMap(({ pattern, reason, advice }) =>
    lines.flatMap((line, index): Finding[] =>
      pattern.test(line) ? [{ effect: 'differs', file, line: index + 1, reason, advice }] : []
    )
  )
}
