declare module "pouchdb" {
  class PouchDB {
    constructor(folder: string);
    bulkDocs(docs: { _id: string }[]): Promise<unknown>;
    info(): Promise<{ doc_count: number }>;
    close(): Promise<void>;
    static replicate(from: PouchDB, to: PouchDB, options: { batch_size: number }): Promise<unknown>;
  }

  export = PouchDB;
}
