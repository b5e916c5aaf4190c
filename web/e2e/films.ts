export { prepareFilm } from './film-maker.ts'
export { playStored } from './film-player.ts'
