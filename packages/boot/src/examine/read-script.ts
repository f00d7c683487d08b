import { readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { compileFunction } from 'node:vm'
import { isPlainObject } from '@modelwire/core/plugin'
import { resolveFrom } from '@modelwire/loopback-express'
import { readTextFile } from '../config/read-text-file.ts'
import type { AppFolder } from '../app-folder.ts'
import { moduleHint } from '../scripts/load-script.ts'
import { isProvided } from '../facade/provided-names.ts'
import type { Finding } from './finding.ts'

/** A script that was read and not run. */
export interface ReadScript {
  readonly path: string
  readonly text: string
  /** Whole paths of the scripts beside it that it requires. */
  readonly required: readonly string[]
  /** Packages that it requires and that are not installed, with their lines. */
  readonly missing: readonly { readonly name: string; readonly line: number }[]
  readonly findings: readonly Finding[]
}

/** Reads a script: what it requires, and whether it can be loaded at all. Nothing of it is run. */
export function readScript(folder: AppFolder, path: string): ReadScript {
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
        const reason = `it requires ${name}, and there is no such file`
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

/** Undefined for what is not a file, such as a pipe, or cannot be read. */
function textOf(path: string): string | undefined {
  try {
    return readTextFile(path)
  } catch {
    return undefined
  }
}

const unreadable = (file: string): Finding => ({
  effect: 'fails',
  file,
  code: 'SCRIPT_FAILED',
  reason: 'the script cannot be read',
  advice: 'put a file that can be read in its place'
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
  return packageType(dirname(path)) === 'module' || /^\s*(?:import\b[^(]|export\b)/m.test(text)
}

const commonJs = /\bmodule\.exports\b|\brequire\(\s*['"]/

/** True when a script of CommonJS lies in a package of modules. */
function isMistaken(path: string, text: string): boolean {
  return extname(path) === '.js' && commonJs.test(text) && !/^\s*(?:import\b[^(]|export\b)/m.test(text)
}

function mistakenFinding(file: string, text: string): Finding {
  const line = lineOfMatch(text, commonJs)
  const [reason = '', advice = ''] = moduleHint.split(': ')
  return { effect: 'fails', file, line, code: 'SCRIPT_FAILED', reason, advice }
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
