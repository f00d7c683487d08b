import { basename, dirname } from 'node:path'
import type { AppFolder } from '../app-folder.ts'
import { collectNotes } from '../boot-report.ts'
import { noteScriptSource } from '../scripts/script-loader.ts'
import type { Finding } from './finding.ts'
import { findingOfNote } from './finding-of-note.ts'
import { findMissingMembers } from './missing-members.ts'
import { type ReadScript, readScript } from './read-script.ts'
import { standInFor } from './stand-in.ts'

/** The scripts of an application, none of which is run. */
export interface ExaminedScripts {
  /** Stands in for loading a script: reads it, and what it requires beside it. */
  readonly load: (folder: AppFolder, path: string) => unknown
  readonly scripts: ReadonlyMap<string, ReadScript>
  readonly findings: readonly Finding[]
  /** Configuration that is written as a script: `datasources` and the like. */
  readonly unknownConfigs: ReadonlySet<string>
}

const configScript = /^(config|datasources|model-config|middleware|component-config)\b.*\.[cm]?js$/

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
    const reason = 'this configuration is a script: what it gives is not known without running it'
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

const isPackage = (path: string): boolean => /[\\/]node_modules[\\/]/.test(path)
