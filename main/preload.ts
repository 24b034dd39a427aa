import { contextBridge } from "electron";
import { bridgeName, makeBridge } from "./desktop/bridge.ts";

contextBridge.exposeInMainWorld(bridgeName, makeBridge(process.platform));
