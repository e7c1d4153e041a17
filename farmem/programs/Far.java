// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A map of many strings, and a sum over it that is the same each time.
import java.util.HashMap;

public class Far {
    public static void main(String[] arguments) {
        HashMap<Integer, String> map = new HashMap<>();
        for (int i = 0; i < 900_000; i++)
            map.put(i * 7, "v" + i);
        long sum = 0;
        for (int round = 0; round < 3; round++)
            for (int i = 0; i < 900_000; i++)
                sum = sum * 31 + map.get(i * 7).hashCode();
        System.out.println(sum);
    }
}
