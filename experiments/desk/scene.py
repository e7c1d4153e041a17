# SPDX-FileCopyrightText: 2026 The TMM authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The contribution's work: a cloud of coloured curved patches for POV-Ray. With "type 1" POV-Ray stores each patch as 1024 flat
pieces. Memory grows twice as fast as with a union of spheres, so an emulated machine fills within a short break."""

# Measured with POV-Ray 3.7 on x86-64. Each run checks the memory that was used.
BYTES_PER_PATCH = 236000

# The points contain the place: a translation would cut the patch anew, which doubles the time.
SCENE = """#version 3.7;
// A cloud of {patches} curved patches at random places, each with a shape and a colour of its own.
global_settings {{ assumed_gamma 1 }}
camera {{ location <0, 0, -60> look_at 0 }}
light_source {{ <100, 100, -100> rgb 1 }}
#declare R = seed({seed});
union {{
  #declare I = 0;
  #while (I < {patches})
    #declare X = 40 * rand(R) - 20;
    #declare Y = 40 * rand(R) - 20;
    #declare Z = 40 * rand(R) - 20;
    bicubic_patch {{
      type 1 flatness 0 u_steps 5 v_steps 5
      #declare ROW = 0;
      #while (ROW < 4)
        <X, Y + ROW, Z + rand(R)>, <X + 1, Y + ROW, Z + rand(R)>, <X + 2, Y + ROW, Z + rand(R)>, <X + 3, Y + ROW, Z + rand(R)>
        #declare ROW = ROW + 1;
      #end
      pigment {{ rgb <rand(R), rand(R), rand(R)> }}
    }}
    #declare I = I + 1;
  #end
}}
"""


def patches_for(total_mb: float, processes: int) -> int:
    """Patches for each process, so that all together use total_mb."""
    return round(total_mb * 2**20 / BYTES_PER_PATCH / processes)


def scene(patches: int, seed: int) -> str:
    """POV-Ray's scene description."""
    return SCENE.format(patches=patches, seed=seed)
