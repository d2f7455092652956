import { containersSpec } from "../../components/workload/container-specs.ts";
import { accepted, container, refused } from "./spec-rows.ts";
import { CANARY } from "./support.ts";

const mount = (fields: object): object[] =>
  container({ volumeMounts: [{ name: "data", mountPath: "/data", ...fields }] });
const device = (...volumeDevices: object[]): object[] => container({ volumeDevices });
const at = (field: string): string => `p[0].volumeMounts[0].${field}`;

accepted(containersSpec, [
  ["no mounts", container({ volumeMounts: [], volumeDevices: [] })],
  ["a mount", mount({})],
  [
    "a mount of a file that must not change",
    mount({ readOnly: true, recursiveReadOnly: "Enabled", subPath: "a/..b" }),
  ],
  ["a mount that may be read-only below", mount({ readOnly: true, recursiveReadOnly: "IfPossible" })],
  ["a writable mount, said twice", mount({ readOnly: false, recursiveReadOnly: "Disabled" })],
  ["a mount by variable", mount({ subPathExpr: "$(POD)/a", subPath: "" })],
  ["a mount that sees the host's", mount({ mountPropagation: "HostToContainer" })],
  [
    "a private read-only mount",
    mount({ mountPropagation: "None", readOnly: true, recursiveReadOnly: "Enabled" }),
  ],
  [
    "a volume at two paths",
    container({
      volumeMounts: [
        { name: "data", mountPath: "/a" },
        { name: "data", mountPath: "/b" },
      ],
    }),
  ],
  ["a device", device({ name: "claim", devicePath: "/dev/xvda" })],
]);

refused(containersSpec, [
  ["mounts as a map", container({ volumeMounts: { data: CANARY } }), "p[0].volumeMounts", /expected array/],
  ["a mount without name", container({ volumeMounts: [{ mountPath: "/a" }] }), at("name"), /expected string/],
  ["a mount with a bad name", mount({ name: `${CANARY}_` }), at("name"), /lower-case/],
  [
    "a mount without path",
    container({ volumeMounts: [{ name: "data" }] }),
    at("mountPath"),
    /expected string/,
  ],
  ["an empty path", mount({ mountPath: "" }), at("mountPath"), /must be an absolute path/],
  ["a relative path", mount({ mountPath: CANARY }), at("mountPath"), /must be an absolute path without ':'/],
  ["a path with a colon", mount({ mountPath: `/${CANARY}:a` }), at("mountPath"), /without ':'/],
  [
    "a path twice",
    container({
      volumeMounts: [
        { name: "data", mountPath: "/a" },
        { name: "claim", mountPath: "/a" },
      ],
    }),
    "p[0].volumeMounts[1].mountPath",
    /is mounted by another entry too/,
  ],
  ["a misspelt field", mount({ readonly: CANARY }), "p[0].volumeMounts[0]", /did you mean "readOnly"\?/],
  ...["subPath", "subPathExpr"].flatMap((field) =>
    ["/a", "..", "a/..", "../a", "a/../b"].map((path): [string, unknown, string, RegExp] => [
      `the ${field} ${path}`,
      mount({ [field]: path }),
      at(field),
      /must be a path in the volume: relative, without '\.\.'/,
    ]),
  ),
  ["two paths in the volume", mount({ subPath: "a", subPathExpr: CANARY }), at("subPathExpr"), /keep one/],
  [
    "mounts below that are read-only alone",
    mount({ recursiveReadOnly: "Enabled" }),
    at("recursiveReadOnly"),
    /readOnly/,
  ],
  [
    "mounts below that are the host's and read-only",
    mount({ readOnly: true, recursiveReadOnly: "IfPossible", mountPropagation: "HostToContainer" }),
    at("recursiveReadOnly"),
    /needs mountPropagation None/,
  ],
  [
    "another mode below",
    mount({ readOnly: true, recursiveReadOnly: CANARY }),
    at("recursiveReadOnly"),
    /"IfPossible"/,
  ],
  [
    "a mount that changes the host's",
    mount({ mountPropagation: "Bidirectional" }),
    at("mountPropagation"),
    /Bidirectional needs a privileged container/,
  ],
  ["a device without path", device({ name: "claim" }), "p[0].volumeDevices[0].devicePath", /expected string/],
  [
    "a device with a path that climbs",
    device({ name: "claim", devicePath: "/dev/../a" }),
    "p[0].volumeDevices[0].devicePath",
    /must not contain '\.\.'/,
  ],
  [
    "a device twice",
    device({ name: "claim", devicePath: "/dev/a" }, { name: "claim", devicePath: "/dev/b" }),
    "p[0].volumeDevices[1].name",
    /given twice/,
  ],
  [
    "two devices at one path",
    device({ name: "claim", devicePath: "/dev/a" }, { name: "claim2", devicePath: "/dev/a" }),
    "p[0].volumeDevices[1].devicePath",
    /given twice/,
  ],
  [
    "a device that is mounted too",
    container({
      volumeDevices: [{ name: "claim", devicePath: "/dev/a" }],
      volumeMounts: [{ name: "claim", mountPath: "/a" }],
    }),
    "p[0].volumeDevices[0].name",
    /is mounted too/,
  ],
  [
    "a device at the path of a mount",
    container({
      volumeDevices: [{ name: "claim", devicePath: "/a" }],
      volumeMounts: [{ name: "data", mountPath: "/a" }],
    }),
    "p[0].volumeDevices[0].devicePath",
    /is a mountPath too/,
  ],
]);
