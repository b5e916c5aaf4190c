import type mongoose from 'mongoose'

// The driver that mongoose brings, so that there is one version of it.
export type MongoClient = mongoose.mongo.MongoClient
export type Db = mongoose.mongo.Db
export type Timestamp = mongoose.mongo.Timestamp
