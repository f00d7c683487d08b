import { resolve } from 'node:path'
import type { Model } from '@modelwire/core'
import { addMethods, type CallScript, passportDefinitions, type ScriptModel } from '@modelwire/passport'
import { type AppFolder, isFile } from '../app-folder.ts'
import { acceptCallback, callBridged } from '../callback-bridge.ts'
import type { ModelFile } from '../models/find-model-files.ts'

const folderName = /^(.*[\\/])?node_modules[\\/]loopback-component-passport[\\/]lib[\\/]models[\\/]?$/
const bareName = /^loopback-component-passport\/lib\/models\/?$/

/** True for a source of models that is the folder of loopback-component-passport, where the package would be installed. */
export function isPassportFolder({ serverDir }: AppFolder, source: string): boolean {
  if (bareName.test(source)) return true
  const home = folderName.exec(resolve(serverDir, source))?.[1]
  return home !== undefined && isFile(`${home}package.json`)
}

/** Calls a function of a script: gives all that it calls back with. */
export const callWithResults: CallScript = async (fn, self, args) => {
  const outcome = await callBridged(fn, self, args)
  return 'results' in outcome ? outcome.results : [outcome.value]
}

/** Gives a model of loopback-component-passport the method that scripts call. */
export function preparePassportModel(modelClass: typeof Model): void {
  addMethods(modelClass as ScriptModel, callWithResults, acceptCallback) // models of scripts have LoopBack's members
}

/** What the folder of models of loopback-component-passport holds. */
export const passportFiles: readonly ModelFile[] = passportDefinitions.map((definition) => ({
  file: `loopback-component-passport/lib/models/${definition.name}`,
  definition,
  script: undefined,
  prepare: preparePassportModel
}))
